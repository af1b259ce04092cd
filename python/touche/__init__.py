# SPDX-License-Identifier: Apache-2.0
"""Collision detection of polygon soups in motion, with answers that are proved.

>>> import touche
>>> ball, box = touche.Shape.sphere(1), touche.Shape.box((2, 2, 2))
>>> touche.distance(ball, None, box, touche.Pose.from_translation((4, 0, 0)))
<distance 2>

Functions take a body, its pose or motion, the other body, and its pose or motion. Lengths are in
the unit of the coordinates, angles in radians. docs/python.md is a guide; touche.trimesh and
touche.fcl are drop-ins for trimesh.collision and python-fcl.
"""

from __future__ import annotations

import importlib
from types import ModuleType

from . import _pickle as _pickle  # registers what pickles objects
from ._core import (
    STATUSES,
    Body,
    Bracket,
    Contact,
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
    distance,
    distance_many,
    intersects,
    intersects_many,
    simd_targets,
    time_of_impact,
    time_of_impact_many,
)
from .clashes import Assembly, ClashPair, ClashResult, Part, clash
from .dynamics import (
    Dynamics,
    DynamicsResult,
    Impact,
    JointId,
    JointState,
    LostTime,
    RestingContact,
)
from .queries import (
    ContactInterval,
    Contacts,
    Containment,
    Depth,
    FacePairs,
    Interior,
    MassProperties,
    PathResult,
    Separation,
    Thickness,
    all_hits,
    cast_rays,
    cast_segments,
    closest_points,
    contacts,
    containment,
    contains,
    depth,
    interior,
    intersecting_faces,
    load,
    mass_properties,
    overlap_thickness,
    path,
    separation,
    signed_distance,
    winding_number,
)
from .simulations import Simulation, SimulationResult
from .studies import Study, StudyResult
from .viewing import Viewer, view
from .worlds import (
    BodyHit,
    Handling,
    HandlingContact,
    HandlingStep,
    NearestBody,
    NearPair,
    NearPairs,
    NodeId,
    PairEvents,
    StepContact,
    StepGroup,
    StepPair,
    StepResult,
    Stepper,
    TouchingPairs,
    World,
)

__all__ = [
    "Assembly",
    "Body",
    "BodyHit",
    "Bracket",
    "ClashPair",
    "ClashResult",
    "Contact",
    "ContactInterval",
    "Contacts",
    "Containment",
    "Depth",
    "DistanceResult",
    "Dynamics",
    "DynamicsResult",
    "Error",
    "FacePairs",
    "Handling",
    "HandlingContact",
    "HandlingStep",
    "Impact",
    "Interior",
    "IntersectsResult",
    "InvalidInput",
    "JointId",
    "JointState",
    "LoadError",
    "LostTime",
    "MassProperties",
    "Motion",
    "NearPair",
    "NearPairs",
    "NearestBody",
    "NodeId",
    "Object",
    "PairEvents",
    "Part",
    "PathResult",
    "Pose",
    "RestingContact",
    "STATUSES",
    "Separation",
    "Shape",
    "Simulation",
    "SimulationResult",
    "StepContact",
    "StepGroup",
    "StepPair",
    "StepResult",
    "Stepper",
    "Study",
    "StudyResult",
    "Thickness",
    "TimeOfImpact",
    "TouchingPairs",
    "Undecided",
    "Viewer",
    "World",
    "__version__",
    "all_hits",
    "cast_rays",
    "cast_segments",
    "clash",
    "closest_points",
    "contacts",
    "containment",
    "contains",
    "depth",
    "distance",
    "distance_many",
    "interior",
    "intersecting_faces",
    "intersects",
    "intersects_many",
    "load",
    "mass_properties",
    "overlap_thickness",
    "path",
    "separation",
    "signed_distance",
    "simd_targets",
    "time_of_impact",
    "time_of_impact_many",
    "view",
    "winding_number",
]


def __dir__() -> list[str]:
    return [*__all__, "fcl", "trimesh"]


def __getattr__(name: str) -> ModuleType:
    """The drop-ins are imported when they are used."""
    if name in ("fcl", "trimesh"):
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
