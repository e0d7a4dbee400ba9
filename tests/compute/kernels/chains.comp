// SPDX-License-Identifier: MIT
// What one invocation writes becomes available to its workgroup, and through a neighbour there to
// all others: a chain of two releases and two acquires, each at the scope that its next reader
// needs.
#version 450
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) workgroupcoherent buffer Near { uint near[]; };
layout(set = 0, binding = 1) coherent buffer Far { uint far[]; };
layout(set = 0, binding = 2) devicecoherent buffer Data { uint data[]; };
layout(set = 0, binding = 3) buffer Seen { uint seen[]; };
layout(push_constant) uniform Push { uint rounds; uint partner; uint looks; };

void main()
{
    const uint count = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    const uint i = gl_GlobalInvocationID.x;
    const uint neighbour = i ^ 21u;
    const uint other = i + partner; // beyond the buffers there is nothing, and no chain
    uint chains = 0u, wrong = 0u;

    for (uint round = 1u; round <= rounds; round++) {
        // Nobody writes what lies beside what arrives: a load of all four words here comes too
        // early. The fourth is read before it may be, and believed only if it may: a thread
        // sanitizer would not have that. Without looks it is of round 0, in which nobody writes.
        const uint place = 4u * (looks * round * count + other);
        const uint beside = data[place] + data[place + 1u] + data[place + 2u];
        data[4u * (round * count + i) + 3u] = round * 1000003u + i;
        atomicStore(near[i], round, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                    gl_SemanticsRelease | gl_SemanticsMakeAvailable);

        const uint done = atomicLoad(near[neighbour], gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                                     gl_SemanticsAcquire | gl_SemanticsMakeVisible);
        if (done != 0u)
            atomicStore(far[neighbour], done, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                        gl_SemanticsRelease | gl_SemanticsMakeAvailable);

        const uint passed = atomicLoad(far[other], gl_ScopeDevice, gl_StorageSemanticsBuffer,
                                       gl_SemanticsAcquire | gl_SemanticsMakeVisible);
        const uint arrived = data[place + 3u];
        if (passed != 0u) {
            chains++;
            if (data[4u * (passed * count + other) + 3u] != passed * 1000003u + other)
                wrong++;
            if (passed >= round && beside + arrived != looks * (round * 1000003u + other))
                wrong++;
        }
    }
    seen[2u * i] = chains;
    seen[2u * i + 1u] = wrong;
}
