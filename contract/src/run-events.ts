import { z } from 'zod'
import { id } from './fields.ts'

/*
 * The lines of the streams of a run: `started` first, one `completed` or `error` last.
 */

export const startedEvent = z.object({
  type: z.literal('started'),
  run_id: id,
  total: z.int().describe('items to come'),
})

export const progressEvent = z.object({
  type: z.literal('progress'),
  done: z.int(),
  total: z.int(),
  cost_usd: z.number().describe('of the calls so far that have a known price'),
})

export const errorEvent = z.object({ type: z.literal('error'), message: z.string() })
