// SPDX-License-Identifier: Apache-2.0
// One contact for one event: the same wherever a result tells it, and of the faces that it is of.
#pragma once

#include "touche/study.h"

namespace touche::study {

/// Finds the face around the edge or vertex of a contact whose normal is nearest to that of
/// the contact, `normal` being in the coordinates of the soup; the given one where none is nearer.
/// An edge is told as a half-edge of that face. Faces are found across half-edges that have twins.
void fit_face(const PolygonSoup& soup, const Vec3& normal, Index& face, Feature& feature);

/// Fits the faces of all contacts of steps and paths, and begins the contacts of paths where steps
/// tell the same beginning, with the contact that they tell there.
void agree_on_contacts(const Study& study, const std::vector<Object>& parts, StudyResult& result);

}  // namespace touche::study
