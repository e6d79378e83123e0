import type { ModelInfo } from '@pydantic/genai-prices'

/*
 * Prices missing from the price list, in its format: dollars per million tokens. They take precedence over
 * its rows.
 */
export const supplementaryRows: Readonly<Record<string, readonly ModelInfo[]>> = {
  // Fine-tuned models. Different kinds of tuning are priced differently from their base.
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
