import type { ModelInfo } from '@pydantic/genai-prices'

/*
 * Prices that the list lacks, in its own form: dollars per million tokens. They come before its rows.
 */
export const supplementaryRows: Readonly<Record<string, readonly ModelInfo[]>> = {
  // Calls of models that somebody has tuned. What is tuned differently is priced differently from its base.
  openai: [
    tuned('gpt-4.1', 3, 0.75, 12),
    tuned('gpt-4.1-mini', 0.8, 0.2, 3.2),
    tuned('gpt-4.1-nano', 0.2, 0.05, 0.8),
    tuned('o4-mini', 4, 1, 16),
  ],
}

function tuned(base: string, input: number, cacheRead: number, output: number): ModelInfo {
  return {
    id: `ft:${base}`,
    match: {
      regex: `^ft:${base.replaceAll('.', String.raw`\.`)}(?:-\\d{4}-\\d{2}-\\d{2})?(?::|$)`,
    },
    prices: { input_mtok: input, cache_read_mtok: cacheRead, output_mtok: output },
  }
}
