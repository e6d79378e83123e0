import type { BlueprintCheck } from '@assay/contract/blueprint.ts'
import { detect } from '../../detection/detect.ts'
import { maskBlocking } from '../../detection/mask-findings.ts'
import { scanForInstructions } from '../../evaluators/instruction-scanner.ts'

/*
 * What is read from a source before it is sent to a model. Takes tenths of a second: it runs in synthesis-process.ts.
 */

export interface ReadSource {
  /** With secrets masked. */
  readonly text: string
  readonly secrets: number
  readonly instructions: BlueprintCheck
}

export function readSource(source: string): ReadSource {
  const findings = detect(source).filter(({ blocks }) => blocks)
  return {
    text: findings.length === 0 ? source : (maskBlocking([source])[0] ?? ''),
    secrets: findings.length,
    instructions: instructionsCheck(source),
  }
}

function instructionsCheck(text: string): BlueprintCheck {
  const signals = scanForInstructions(text)
  const kinds = [...new Set(signals.map(({ what }) => what))].slice(0, 3)
  return {
    ...{ name: 'instructions_in_source', passed: signals.length === 0 },
    detail: kinds.map((kind) => `The source ${kind}.`).join(' '),
  }
}
