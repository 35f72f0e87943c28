/** Ids that cannot be mixed up, and times: milliseconds since 1970-01-01T00:00:00Z, as `Date.now()` gives them. */

declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

export type UserId = Id<"user">;
export type EntryId = Id<"entry">;
export type TurnId = Id<"turn">;
export type ConversationId = Id<"conversation">;

/** Milliseconds since the epoch. */
export type Timestamp = number;

/** From (inclusive) to (exclusive). */
export interface TimeWindow {
  readonly from: Timestamp;
  readonly to: Timestamp;
}
