import { createHash } from 'node:crypto'
import type { Synthesis } from '@assay/contract/blueprint.ts'
import type { Input } from '@assay/contract/endpoint.ts'
import { limits } from '@assay/contract/limits.ts'
import type { SyntheticSource, synthesizeBlueprint } from '@assay/contract/synthetic.ts'
import { blueprintInstructions, blueprintTokensMax } from '../../blueprint/blueprint-prompt.ts'
import { writtenBlueprint } from '../../blueprint/written-blueprint.ts'
import { fenceBlocks, newNonce } from '../../evaluators/judge/fenced-data.ts'
import type { GatewayModel } from '../../model-gateway/gateway-model.ts'
import { Failure } from '../../platform/failure.ts'
import { type CallModelPorts, type CallOutcome, callModel, type ModelCaller } from './call-model.ts'
import { refuseLarge, refuseUnreadable } from './extract-source.ts'
import { type FindModelPorts, findModel } from './find-model.ts'
import type { SourceReader } from './source-reader.ts'

/*
 * The blueprint of a source: one answer of a model, checked and completed without one.
 */

export interface SynthesizePorts extends CallModelPorts, FindModelPorts {
  readonly sourceReader: SourceReader
}

type Body = Input<typeof synthesizeBlueprint>['body']

export async function synthesize(
  caller: ModelCaller,
  { source, domain, model_config_id: configId }: Body,
  signal: AbortSignal,
  ports: SynthesizePorts,
): Promise<Synthesis> {
  refuseLarge(Buffer.byteLength(source.text))
  const sourceText = source.text.slice(0, limits.sourceTextLength.value)
  refuseUnreadable(sourceText, 'Paste more text, or extract the source again.')
  const model = await findModel(caller.organizationId, configId, undefined, ports)
  const waiter = { owner: caller.organizationId, signal }
  const { text, secrets, instructions } = await ports.sourceReader.read(waiter, sourceText)
  const { report, problem } = await ask(caller, model, { text, domain, signal }, ports)
  const { usage, costUsd, stopReason } = report
  const answer = problem === undefined || problem.kind === 'invalid_output' ? report.text : null
  const wasCut = stopReason === 'length'
  const seed = createHash('sha256').update(sourceText).digest().readUInt32BE()
  const built =
    answer === null
      ? undefined
      : await ports.sourceReader.build(waiter, { text: answer, wasCut, sourceText, domain, seed })
  if (built === undefined) throw noBlueprint(answer === null ? problem?.message : undefined, wasCut)
  const { blueprint, missing, checks, notes, markdown } = built
  return {
    ...{ partial: missing.length > 0, missing: [...missing], blueprint, seed, model: model.model },
    artifact_markdown: markdown,
    checks: [...checks, instructions],
    notes: [...sourceNotes(source, sourceText), ...secretsNote(secrets), ...notes],
    usage: { tokens_in: usage.tokensIn, tokens_out: usage.tokensOut, cost_usd: costUsd },
  }
}

interface Question {
  readonly text: string
  readonly domain: string
  readonly signal: AbortSignal
}

/** Asks a provider that accepts no schema for lines. Its refusal is no answer, so nothing is asked twice. */
async function ask(
  caller: ModelCaller,
  model: GatewayModel,
  question: Question,
  ports: SynthesizePorts,
): Promise<CallOutcome<unknown>> {
  const outcome = await askInForm(caller, model, question, false, ports)
  const { status = null, message = '' } = outcome.problem ?? {}
  const refusesSchema = (status === 400 || status === 422) && schemaRefused.test(message)
  return refusesSchema ? await askInForm(caller, model, question, true, ports) : outcome
}

const schemaRefused = /response_format|json_schema|structured output|tool_choice|\btools?\b|schema/i

async function askInForm(
  caller: ModelCaller,
  model: GatewayModel,
  { text, domain, signal }: Question,
  asLines: boolean,
  ports: SynthesizePorts,
): Promise<CallOutcome<unknown>> {
  const nonce = newNonce()
  const segments = [{ spanId: 'source', text }]
  const call = {
    name: 'synthesize blueprint',
    system: blueprintInstructions(inOneLine(domain), nonce, asLines),
    message: fenceBlocks([{ name: 'source', segments }], nonce),
    maxOutputTokens: blueprintTokensMax,
    maxMs: limits.synthesisSeconds.value * 1000,
    signal,
  }
  return await callModel(caller, model, call, asLines ? undefined : writtenBlueprint, ports)
}

const inOneLine = (text: string) => text.replaceAll(/[\s<>]+/g, ' ')

function secretsNote(count: number): readonly string[] {
  if (count === 0) return []
  const secrets = count === 1 ? '1 secret was' : `${count} secrets were`
  return [`${secrets} masked before the text was sent to the model.`]
}

function sourceNotes({ text, truncated }: SyntheticSource, used: string): readonly string[] {
  const isCut = truncated || used.length < text.length
  return isCut ? ['The source was cut: the blueprint covers its beginning only.'] : []
}

function noBlueprint(problem: string | undefined, wasCut: boolean): Failure {
  const unusable = wasCut
    ? 'The answer of the model was cut off before the agent was complete. Use a model with a longer output, or a shorter source.'
    : 'The model wrote no usable blueprint. Try again, or use another model.'
  return new Failure('INTERNAL_ERROR', problem ?? unusable, { status: 502 })
}
