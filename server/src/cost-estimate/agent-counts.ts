import type { ClassCounts } from './content-class.ts'

/** Tokens of an agent configuration, which every call sends. */
export interface AgentCounts {
  readonly prompt: ClassCounts
  /** In each form that providers render tools in. */
  readonly typedTools: ClassCounts
  readonly jsonTools: ClassCounts
  readonly toolCount: number
}
