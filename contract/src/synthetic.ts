import { z } from 'zod'
import { blueprint, synthesis } from './blueprint.ts'
import { endpoint } from './endpoint.ts'
import { appBody, id, inProject, limitedList } from './fields.ts'
import { limits } from './limits.ts'
import { scenarioSummary } from './scenarios.ts'

/*
 * The synthetic set-up: a document becomes the blueprint of an agent, with scenarios to try it.
 */

/** Size limits respond with 413, so the schema only bounds the text by the body. */
const bodyText = z.string().max(limits.sourceBodyBytes.value)

const shortText = z.string().max(limits.sourceNameLength.value)

export const syntheticSource = z.object({
  text: bodyText,
  label: shortText.default('Pasted text'),
  title: shortText.default(''),
  format: shortText.default('text').describe('text, markdown, csv, json, html, pdf or docx'),
  chars: z.int().default(0).describe('length of `text`'),
  truncated: z.boolean().default(false).describe('whether further text was left out'),
  notes: z
    .array(z.string().max(limits.sourceNoteLength.value))
    .max(limits.sourceNotes.value)
    .default([]),
})
export type SyntheticSource = z.output<typeof syntheticSource>

const sourceKinds = ['text', 'url', 'file'] as const

/** Of the files that can be read, in lower case. */
export const sourceExtensions = [
  'txt',
  'log',
  'md',
  'markdown',
  'csv',
  'tsv',
  'json',
  'html',
  'htm',
  'pdf',
  'docx',
] as const

const extractBody = z
  .object({
    text: bodyText.optional(),
    url: z.string().trim().max(limits.sourceUrlLength.value).optional(),
    file: z
      .object({
        name: shortText.describe(`ends in .${sourceExtensions.join(', .')}`),
        content_base64: bodyText,
      })
      .optional(),
  })
  .refine((body) => sourceKinds.filter((kind) => body[kind] !== undefined).length === 1, {
    error: 'must have exactly one of text, url and file',
  })
export type ExtractBody = z.output<typeof extractBody>

const sourceBody = <Schema extends z.ZodType>(schema: Schema) =>
  ({ ...appBody(schema), malformed: 400, maxBytes: limits.sourceBodyBytes.value }) as const

const shared = {
  method: 'POST',
  tag: 'Synthetic set-up',
  access: { by: 'session', of: 'project', anyOf: ['run_agents', 'manage_agents'] },
  cost: 'expensive',
  params: inProject,
} as const

export const extractSource = endpoint({
  ...shared,
  path: '/projects/{projectId}/synthetic/extract',
  summary: 'Read the text of a document',
  description:
    'From pasted text, a public URL or a file. A document without enough text, of another format, encrypted or damaged is refused with 422 and a `details.hint`; a URL with 422 and its host in `details.target`. An address that is not public is refused like one that does not exist.',
  body: sourceBody(extractBody),
  success: { status: 200, data: z.object({ source: syntheticSource }) },
  errors: ['VALIDATION_ERROR 413', 'VALIDATION_ERROR 422'],
})

const modelConfigId = id
  .nullish()
  .describe("default: the organization's oldest model configuration, else the operator's own model")

export const synthesizeBlueprint = endpoint({
  ...shared,
  path: '/projects/{projectId}/synthetic/synthesize',
  summary: 'Turn a source into the blueprint of an agent',
  description:
    'One model call. Secrets in the source are masked before it is sent. Of an answer that was cut off, the complete parts are returned with 202; its text is never repaired. Rows are checked and added to without a model. The call is recorded as a trace of mode `simulation`. Without any model, the response is 503.',
  body: sourceBody(
    z.object({
      source: syntheticSource,
      domain: z.string().trim().min(1).max(limits.blueprintDomainLength.value).default('auto'),
      model_config_id: modelConfigId,
    }),
  ),
  success: {
    status: 200,
    data: synthesis,
    alternative: { status: 202, when: 'if parts are missing' },
  },
  errors: [
    'NOT_FOUND',
    'VALIDATION_ERROR 413',
    'VALIDATION_ERROR 422',
    'INTERNAL_ERROR 502',
    'INTERNAL_ERROR 503',
  ],
})

export const draftScenarios = endpoint({
  ...shared,
  path: '/projects/{projectId}/synthetic/scenarios',
  summary: 'Draft scenarios from a blueprint',
  description:
    'Returns scenarios for a preview; nothing is stored. `generate-scenarios` with the agent of the blueprint stores a run.',
  body: {
    ...appBody(
      z.object({
        blueprint,
        count: z.int().min(1).max(limits.draftedScenarios.value).default(5),
        model_config_id: modelConfigId,
      }),
    ),
    malformed: 400,
    maxBytes: limits.agentBodyBytes.value,
  },
  success: {
    status: 200,
    data: z.object({ scenarios: limitedList(scenarioSummary, 'draftedScenarios') }),
  },
  errors: ['NOT_FOUND', 'INTERNAL_ERROR 502', 'INTERNAL_ERROR 503'],
})
