import type { RuleField } from './rule-draft.ts'

/** What a field of the form takes to show and change its text. */
export type FieldOf = (name: RuleField) => {
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (event: { readonly currentTarget: { readonly value: string } }) => void
}
