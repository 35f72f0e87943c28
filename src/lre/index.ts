/** Learned Relevance Eviction by itself: which units of a history to keep before a model, verbatim, inside a token budget. */

export { ContextWindow, createContextWindow } from "./context-window.js";
export { featuresOf } from "./extractor.js";
export { type AiSdkMessage, aiSdkFormat } from "./formats/ai-sdk.js";
export { type AnthropicMessage, anthropicFormat } from "./formats/anthropic.js";
export type { ChatFormat, MessageUnit, MessageView } from "./formats/format.js";
export { type OpenAiMessage, openAiFormat } from "./formats/openai.js";
export type { Answered, CreditOptions } from "./labels.js";
export { Learner, type LearnerOptions, type ObservedLog } from "./learner.js";
export type { LedgerLine } from "./ledger.js";
export { type FittedMessages, fitMessages, MessageWindow } from "./message-window.js";
export { decodeModel, encodeModel, type ModelPart, type Profile, type ScorerModel } from "./model.js";
export { BLEND_EVIDENCE, type FeatureTerm, type LocalModel, StreamScorer } from "./scorer.js";
export { shippedBytes, shippedModel } from "./shipped.js";
export type { ToolCall, Unit } from "./unit.js";
export type { ContextWindowOptions, Kept, LeftOut, UnitExplanation, WindowSelection } from "./window-options.js";
