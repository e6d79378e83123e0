import { RequestProblem } from '@assay/account/shell/RequestProblem.tsx'
import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { ssoConfigQuery, ssoServiceQuery, useWriteSso } from '../../api/sso.ts'
import { PageHead } from '../../page/PageHead.tsx'
import styles from '../../page/page.module.css'
import { useOrganization } from '../../shell/use-organization.ts'
import { SsoSteps } from './SsoSteps.tsx'

/** Configures sign-in through the identity provider of an organization. */
export function SsoPage() {
  const { organization } = useOrganization()
  return (
    <div className={styles.page}>
      <PageHead
        title="Single sign-on"
        lead="Members sign in through your own identity provider. Users removed from it can no longer sign in."
      />
      <Steps orgId={organization.id} />
    </div>
  )
}

function Steps({ orgId }: { readonly orgId: string }) {
  const config = useQuery(ssoConfigQuery(orgId))
  const service = useQuery(ssoServiceQuery(orgId))
  const writing = useWriteSso(orgId)
  const error = config.error ?? service.error
  if (error !== null) {
    const retry = () => {
      void config.refetch()
      void service.refetch()
    }
    return <RequestProblem error={error} onRetry={retry} />
  }
  if (config.data === undefined || service.data === undefined) return <TableSkeleton rows={6} />
  return (
    <SsoSteps
      // A saved configuration, from here or elsewhere, replaces unsaved changes.
      key={config.data?.updated_at ?? 'none'}
      orgId={orgId}
      config={config.data}
      service={service.data}
      writing={writing}
    />
  )
}
