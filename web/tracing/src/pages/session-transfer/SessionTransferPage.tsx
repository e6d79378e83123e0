import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { CreateTransfer } from '@assay/account/session-transfer/CreateTransfer.tsx'
import { getRouteApi } from '@tanstack/react-router'

const route = getRouteApi('/signed-in/session-transfer')

/** Transfers the session to Assay Chat, which has its own host. */
export function SessionTransferPage() {
  const { state = '' } = usePageSearch(route)
  return <CreateTransfer to="Assay Chat" state={state} />
}
