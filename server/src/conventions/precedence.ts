import type { Convention } from './convention.ts'
import type { DecodedSpan } from './decoded-span.ts'
import { genAi } from './gen-ai.ts'
import { openInference } from './openinference.ts'

/**
 * The conventions we understand, in the order in which they are asked. A vocabulary that names its kinds comes
 * before one from whose operations they are inferred.
 */
const precedence: readonly Convention[] = [openInference, genAi]

const byNamespace = Map.groupBy(
  precedence.flatMap((convention) =>
    convention.namespaces.map((namespace) => ({ prefix: `${namespace}.`, convention })),
  ),
  ({ prefix }): string => prefix,
)

/** Those that the span speaks, which may be several, in their order. */
export function conventionsOf({ attributes }: DecodedSpan): readonly Convention[] {
  const spoken = new Set<Convention>()
  let last: string | undefined
  for (const key of attributes.keys()) {
    // Most keys begin as the one before them does.
    if (last !== undefined && key.startsWith(last)) continue
    const dot = key.indexOf('.')
    if (dot === -1) continue
    last = key.slice(0, dot + 1)
    for (const { convention } of byNamespace.get(last) ?? []) spoken.add(convention)
  }
  return precedence.filter((convention) => spoken.has(convention))
}
