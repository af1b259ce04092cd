# SPDX-License-Identifier: Apache-2.0
"""Close the fingers of a gripper until they touch a part. Each stops where it is proved free."""

import sys
from pathlib import Path

import touche


def main(_: Path | None = None) -> None:
    at = touche.Pose.from_translation
    world = touche.World()
    part = world.add(touche.Shape.capsule(8, 30), at((3, 0, 0)), name="part")
    finger = touche.Shape.box((4, 20, 40)).rounded(1)
    left = world.add(finger, at((-40, 0, 0)), name="left")
    right = world.add(finger, at((40, 0, 0)), name="right")

    stepper = touche.Stepper(world)
    step = stepper.step({left: at((0, 0, 0)), right: at((0, 0, 0))}, tolerance=1e-3)
    for group in step.groups:
        print(world.name(group.node), "closed by", 40 * group.reached)
        assert group.contact is not None
        contact = step.contacts[group.contact].contact
        assert contact is not None
        print("  and touches the part at", contact.point_a)
    gap = touche.distance(
        world.body(left), world.pose(left), world.body(part), world.pose(part)
    )
    print("the gap that is left:", gap)
    assert 0 < gap.lower <= gap.upper < 2e-3


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
