import {
  checkPasswordReset,
  confirmPasswordReset,
  requestPasswordReset,
} from '@assay/contract/sign-in.ts'
import type { SignInRateLimiter } from '../../accounts/sign-in-rate-limiter.ts'
import type { Bind } from '../../http/call.ts'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { Log } from '../../platform/log.ts'
import type { Mailer } from '../../platform/mail.ts'
import type { Passwords } from '../../platform/password-hash.ts'
import type { Accounts } from '../../storage/accounts/connect.ts'
import { checkReset, confirmReset } from './confirm-reset.ts'
import { requestReset } from './request-reset.ts'

interface Ports {
  readonly bind: Bind
  readonly accounts: Accounts
  readonly passwords: Passwords
  readonly rateLimiter: SignInRateLimiter
  readonly mailer: Mailer | undefined
  readonly clock: Clock
  readonly log: Log
  readonly baseUrl: string
}

export function registerPasswordReset(ports: Ports): void {
  const { bind, mailer, rateLimiter, log } = ports

  bind(requestPasswordReset, async ({ body, client }) => {
    if (mailer === undefined) {
      throw new Failure('INTERNAL_ERROR', 'Mail is not configured on this deployment.', {
        status: 503,
      })
    }
    await rateLimiter.enterNetwork(client.address)
    requestReset(body, client, { ...ports, mailer }).catch((error: unknown) =>
      log.error('a password link could not be sent', error, { id: client.requestId }),
    )
    return { requested: true as const }
  })

  bind(checkPasswordReset, async ({ body, client }) => {
    await checkReset(body.token, client, ports)
    return { valid: true as const }
  })

  bind(confirmPasswordReset, async ({ body, client, signal }) => {
    await confirmReset(body, { ...client, signal }, ports)
    return { password_changed: true as const }
  })
}
