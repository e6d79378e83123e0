import { ApiError } from '@assay/contract/client.ts'
import { describe, expect, test } from 'vitest'
import { EncryptionProblem } from '../crypto/encryption-problem.ts'
import { asRefusal } from './sealed-turn.ts'

describe('a request with the keys of this browser', () => {
  test('is refused with the reason when they cannot be trusted, so that it is not repeated for ever', async () => {
    const problem = new EncryptionProblem('older', 'The server shows older keys.')
    await expect(asRefusal(Promise.reject(problem))).rejects.toEqual(
      new ApiError(403, 'FORBIDDEN', 'The server shows older keys.'),
    )
  })

  test('fails as it does otherwise, so that a lost connection is tried again', async () => {
    const lost = new TypeError('network')
    await expect(asRefusal(Promise.reject(lost))).rejects.toBe(lost)
    expect(await asRefusal(Promise.resolve('sent'))).toBe('sent')
  })
})
