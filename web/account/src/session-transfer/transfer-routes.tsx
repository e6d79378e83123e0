import type { AnyRoute } from '@tanstack/react-router'
import { definePage } from '../routes/define-page.ts'
import { nextSearch } from '../sign-in/next-path.ts'
import { transferSearch } from './transfer-search.ts'

/*
 * The pages of the transfer of a session between the products, which have hosts of their own.
 */

/** Opens a page with the session of the product with this name. Public. */
export function startTransferRoute<Parent extends AnyRoute>(parent: Parent, from: string) {
  return definePage({
    parent,
    path: '/session-transfer/start',
    title: `Continue from ${from}`,
    search: nextSearch,
    async load() {
      const { StartTransfer } = await import('./StartTransfer.tsx')
      return () => <StartTransfer from={from} />
    },
  })
}

/** Signs in a person who comes from the product with this name. Public. */
export function redeemTransferRoute<Parent extends AnyRoute>(parent: Parent, from: string) {
  return definePage({
    parent,
    path: '/session-transfer/redeem',
    title: `Sign-in from ${from}`,
    async load() {
      const { RedeemTransfer } = await import('./RedeemTransfer.tsx')
      return () => <RedeemTransfer from={from} />
    },
  })
}

/** Transfers the session to the product with this name. Requires a session. */
export function createTransferRoute<Parent extends AnyRoute>(parent: Parent, to: string) {
  return definePage({
    parent,
    path: '/session-transfer',
    title: `Open ${to}`,
    search: transferSearch,
    async load() {
      const { CreateTransfer } = await import('./CreateTransfer.tsx')
      return () => <CreateTransfer to={to} />
    },
  })
}
