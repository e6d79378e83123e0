import { formatLocal } from '@assay/ui/time-format.ts'

/** Local time without seconds: `Nov 20, 14:00`. */
export function formatStep(instantMs: number): string {
  return formatLocal(instantMs, Date.now()).slice(0, -':00'.length)
}
