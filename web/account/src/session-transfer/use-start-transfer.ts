import { call } from '@assay/contract/client.ts'
import { startSessionTransfer } from '@assay/contract/session-transfer.ts'
import { useMutation } from '@tanstack/react-query'
import { base } from '../api/base.ts'
import { rememberReturnPath } from './return-path.ts'

/**
 * Starts the transfer of a session from the other product, which returns to `next`. `leave` gets the page of the other
 * product that creates the code.
 */
export function useStartTransfer(next: string) {
  return useMutation({
    meta: { isSignIn: true },
    mutationFn: async (leave: (transferPage: URL) => void) => {
      const { url } = await call(base, startSessionTransfer, {})
      rememberReturnPath(next)
      leave(new URL(url))
    },
  })
}
