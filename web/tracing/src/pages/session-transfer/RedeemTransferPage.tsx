import { RedeemTransfer } from '@assay/account/session-transfer/RedeemTransfer.tsx'

/** Signs in a person who comes from Assay Chat. */
export function RedeemTransferPage() {
  return <RedeemTransfer from="Assay Chat" />
}
