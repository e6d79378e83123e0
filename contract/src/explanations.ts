import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { appBody, inProject } from './fields.ts'
import { limits } from './limits.ts'

/** Source: interface specification, "Score-gap explanation"; decisions, section 5. */
const note = z.unknown().superRefine((value, context) => {
  const maximum = limits.explainedNoteLength.value
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  if (text.length > maximum) {
    context.addIssue({ code: 'too_big', origin: 'string', maximum, inclusive: true, input: value })
  }
})

const notes = z
  .array(note)
  .max(limits.explainedNotes.value)
  .default([])
  .describe('as in the results of an evaluation')

const explainedModel = z.object({
  label: z.string().min(1).max(limits.modelLength.value),
  score: z.number(),
  passed: z.boolean(),
  reasoning: z.string().max(limits.explainedTextLength.value).default(''),
  criteria: notes,
  issues: notes,
  evidence: notes,
})
export type ExplainedModel = z.output<typeof explainedModel>

export const explainScoreGap = endpoint({
  method: 'POST',
  path: '/projects/{projectId}/evaluations/explain',
  tag: 'Evaluation',
  summary: 'Explain in one or two sentences why two models have different scores',
  description:
    "Uses a model of the operator, within the organization's allowance. Without one, or when it fails, the difference is described by rules (`source` is `heuristic`).",
  access: { by: 'session', of: 'project', anyOf: ['run_agents', 'manage_agents'] },
  cost: 'expensive',
  params: inProject,
  body: appBody(
    z.object({
      evaluator_name: z.string().min(1).max(limits.nameLength.value),
      model_a: explainedModel,
      model_b: explainedModel,
    }),
  ),
  invalid: 'first-five',
  success: {
    status: 200,
    data: z.object({ explanation: z.string(), source: z.enum(['model', 'heuristic']) }),
  },
})
