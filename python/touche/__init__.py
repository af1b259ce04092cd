# SPDX-License-Identifier: Apache-2.0
"""Collision detection of polygon soups in motion, with answers that are proved."""

from ._core import (
    Body,
    Bracket,
    Contact,
    ContactsResult,
    DistanceResult,
    Error,
    IntersectsResult,
    InvalidInput,
    LoadError,
    Motion,
    Object,
    Pose,
    Shape,
    TimeOfImpact,
    Undecided,
    __version__,
    contacts,
    distance,
    distance_many,
    intersects,
    intersects_many,
    time_of_impact,
)

__all__ = [name for name in dir() if not name.startswith("_")] + ["__version__"]
