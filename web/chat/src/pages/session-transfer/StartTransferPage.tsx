import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { StartTransfer } from '@assay/account/session-transfer/StartTransfer.tsx'
import { getRouteApi } from '@tanstack/react-router'

const route = getRouteApi('/session-transfer/start')

/** Opens a page with the session of the tracing product. */
export function StartTransferPage() {
  const { next = '/' } = usePageSearch(route)
  return <StartTransfer from="Assay" next={next} />
}
