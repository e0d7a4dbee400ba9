/* SPDX-License-Identifier: MIT */
/* A GStreamer application that sets the rate control of an encoder when its first picture comes,
 * and perhaps another bit rate with picture 50.
 *
 * usage: rate MODE KBPS[:KBPS] PIPELINE, with an element called encoder
 */
#include <gst/gst.h>

#include <stdlib.h>
#include <string.h>

struct rate {
    GstElement *encoder;
    const char *mode;
    guint kbps;
    guint next_kbps; /* 0: no other one */
    guint picture_count;
};

static GstPadProbeReturn
set_rate(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    struct rate *rate = data;
    if (rate->picture_count == 0) {
        gst_util_set_object_arg(G_OBJECT(rate->encoder), "rate-control", rate->mode);
        g_object_set(rate->encoder, "bitrate", rate->kbps, NULL);
    } else if (rate->picture_count == 50 && rate->next_kbps) {
        g_object_set(rate->encoder, "bitrate", rate->next_kbps, NULL);
    }
    rate->picture_count++;
    return GST_PAD_PROBE_OK;
}

int
main(int argc, char **argv)
{
    gst_init(&argc, &argv);
    if (argc != 4)
        return 2;
    GError *error = NULL;
    GstElement *pipeline = gst_parse_launch(argv[3], &error);
    if (error) {
        g_printerr("%s\n", error->message);
        return 1;
    }
    const char *next = strchr(argv[2], ':');
    struct rate rate = {gst_bin_get_by_name(GST_BIN(pipeline), "encoder"), argv[1],
                        (guint)atoi(argv[2]), next ? (guint)atoi(next + 1) : 0, 0};
    GstPad *pad = gst_element_get_static_pad(rate.encoder, "sink");
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, set_rate, &rate, NULL);

    gst_element_set_state(pipeline, GST_STATE_PLAYING);
    GstMessage *message = gst_bus_timed_pop_filtered(
        gst_element_get_bus(pipeline), GST_CLOCK_TIME_NONE, GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
    const int failed = GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR;
    if (failed) {
        gst_message_parse_error(message, &error, NULL);
        g_printerr("%s\n", error->message);
    }
    gst_element_set_state(pipeline, GST_STATE_NULL);
    return failed;
}
