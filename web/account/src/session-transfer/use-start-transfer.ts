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
      const { url } = await inTurn(() => call(base, startSessionTransfer, {}))
      rememberReturnPath(next)
      leave(new URL(url))
    },
  })
}

/**
 * Tabs start one after the other: the first gets the cookie of this browser, and the others send it. With a cookie for
 * each, all codes but those of the last would be refused.
 */
function inTurn<Result>(start: () => Promise<Result>): Promise<Result> {
  // Browsers have locks on HTTPS and localhost only.
  return 'locks' in navigator ? navigator.locks.request('assay-session-transfer', start) : start()
}
