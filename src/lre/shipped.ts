/** Reads the shipped models, once each. */

import { featuresOf } from "./extractor.js";
import { decodeModel, type Profile, type ScorerModel } from "./model.js";
import { WEIGHTS } from "./weights.js";

const read = new Map<Profile, ScorerModel>();

/** The shipped model's file. */
export function shippedBytes(profile: Profile): Uint8Array {
  return Uint8Array.from(atob(WEIGHTS[profile]), (character) => character.charCodeAt(0));
}

/** Learned from permissively licensed data only; its `provenance` says which. */
export function shippedModel(profile: Profile): ScorerModel {
  let model = read.get(profile);
  if (!model) read.set(profile, (model = decodeModel(shippedBytes(profile), featuresOf)));
  return model;
}
