/** How a role is played, in words. */

import type { RoleForm } from "keepsake";

export const FORM: Readonly<Record<RoleForm, string>> = {
  lite: "rules, without a model",
  generate: "the model, by writing",
  likelihood: "the model, by likelihood",
  rank: "the model, by choosing sentences",
};
