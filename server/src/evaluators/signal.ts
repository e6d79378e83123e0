/** A part of a text addressed to a model instead of a person. */
export interface Signal {
  /** Completes "The text …": `asks to ignore earlier instructions`. */
  readonly what: string
  /** 0 to 1: how seldom harmless text has it. */
  readonly weight: number
  /** Of the part of the text, in UTF-16 units. */
  readonly start: number
  readonly end: number
}
