/** The on-line roles that a small model may play, and how it came to them; plain data. */

export type SlmRole = "controller" | "selector" | "writer";

/** How a role is played: by rules ("lite"), by what a model writes, by how likely it finds a text, or by its choice among the person's
 * sentences. */
export type RoleForm = "lite" | "generate" | "likelihood" | "rank";

/** Roles that an app gives a model itself, unexamined; what is left out stays with lite. */
export interface GivenRoles {
  readonly controller?: "likelihood" | "generate";
  readonly selector?: "likelihood" | "generate";
  readonly writer?: "generate" | "rank";
}

/** How roles are given: by the bundled exam, once for each model; by the same exam anew; or by the app, without one. */
export type RoleGiving = "exam" | "exam-anew" | GivenRoles;

/** One form of a role against lite, on the same items. Scores are 0 to 1, larger for better. */
export interface FormTrial {
  readonly form: Exclude<RoleForm, "lite">;
  readonly items: number;
  readonly lite: number;
  readonly model: number;
  /** Mean of the differences, item by item. */
  readonly gain: number;
  /** Its lower bound, one-sided, 95%: above 0 the form is better beyond chance. */
  readonly low: number;
  /** Items that the model could not answer; they count as 0. */
  readonly failed: number;
  readonly msPerItem: number;
  readonly passed: boolean;
  /** Why it passed or not, in words. */
  readonly reason: string;
  /** Share of the likelihood in its blend with lite's score. */
  readonly weight?: number;
}

/** What an exam found of a role. */
export interface RoleVerdict {
  readonly form: RoleForm;
  readonly reason: string;
  readonly weight?: number;
  readonly trials: readonly FormTrial[];
}

export type RoleVerdicts = Readonly<Record<SlmRole, RoleVerdict>>;

/** Who plays a role now, and why. */
export interface RoleState extends RoleVerdict {
  /** Answers that came in time; those that came too late, failed or could not be read: lite answered then. */
  readonly answered: number;
  readonly late: number;
  readonly failed: number;
  /** Set while the model is not asked, after it was late or failed again and again. */
  readonly resting?: string;
}

/** How a model's structured answers could be read, counted. */
export interface StructuredCounts {
  /** Asks that ended, each of which is one of those below; one that its caller gave up is none. */
  readonly asked: number;
  /** As they were. */
  readonly parsed: number;
  /** After mending. */
  readonly repaired: number;
  /** Cut at the limit; the whole part of them was kept. */
  readonly cut: number;
  /** At the second try, which had shown the error of the first. */
  readonly retried: number;
  /** Not at all, or the engine failed: the lite role answered. */
  readonly failed: number;
}

/** The model beside a memory. */
export interface ModelState {
  /** Engine, model and quantisation. */
  readonly id: string;
  /** "examining": lite plays all roles until the exam is over. */
  readonly state: "examining" | "ready";
  readonly device: string;
  readonly contextTokens: number;
  /** Of what it has written and read so far, where the engine tells of tokens; else as the engine measured it at load. */
  readonly tokensPerSecond?: { readonly prompt?: number; readonly completion?: number };
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly structured: StructuredCounts;
  /** Entries that were shown in the model's words, and those whose words it said something in that nobody had said. */
  readonly reworded: number;
  readonly ungrounded: number;
}
