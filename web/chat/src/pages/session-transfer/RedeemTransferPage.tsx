import { RedeemTransfer } from '@assay/account/session-transfer/RedeemTransfer.tsx'

/** Signs in a person who comes from the tracing product. */
export function RedeemTransferPage() {
  return <RedeemTransfer from="Assay" />
}
