/* SPDX-License-Identifier: MIT */
/* Writes a short clip of waves as Y4M.
 *
 * usage: clip OUT.y4m
 */
#include <stdint.h>
#include <stdio.h>

#define WIDTH_PX 96
#define HEIGHT_PX 80
#define FRAMES 5

static int
sample(int x, int y, int frame)
{
    return 60 + (x * y / 16 + 5 * frame + (x * 7 ^ y * 3)) % 140;
}

static void
plane_write(FILE *out, int width_px, int height_px, int frame)
{
    for (int y = 0; y < height_px; y++)
        for (int x = 0; x < width_px; x++)
            (void)fputc(sample(x, y, frame), out);
}

int
main(int argc, char **argv)
{
    FILE *out = argc == 2 ? fopen(argv[1], "wb") : NULL;

    if (!out)
        return 1;
    (void)fprintf(out, "YUV4MPEG2 W%d H%d F25:1 C420jpeg\n", WIDTH_PX, HEIGHT_PX);
    for (int frame = 0; frame < FRAMES; frame++) {
        (void)fputs("FRAME\n", out);
        plane_write(out, WIDTH_PX, HEIGHT_PX, frame);
        plane_write(out, WIDTH_PX / 2, HEIGHT_PX / 2, frame);
        plane_write(out, WIDTH_PX / 2, HEIGHT_PX / 2, frame + 40);
    }
    return fclose(out) == 0 ? 0 : 1;
}
