// SPDX-License-Identifier: Apache-2.0
// Makes all results describe a contact alike, and chooses the faces that fit its normal best.
#pragma once

#include "touche/study.h"

namespace touche::study {

/// Among the faces around the edge or vertex of a contact, finds the one whose normal is nearest to
/// the contact's, `normal`, given in the coordinates of the soup. Keeps the given face if none is
/// nearer. An edge feature becomes the half-edge of the face found. Faces are reached across
/// opposite half-edges.
void fit_face(const PolygonSoup& soup, const Vec3& normal, Index& face, Feature& feature);

/// Fits the faces of all contacts of steps and paths. A contact of a path takes the beginning and
/// the contact that a step reports, if both begin at the same position.
void agree_on_contacts(const Study& study, const std::vector<Object>& parts, StudyResult& result);

}  // namespace touche::study
