import { TableSkeleton } from '@assay/ui/TableSkeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { ssoConfigQuery, ssoServiceQuery, useWriteSso } from '../../api/sso.ts'
import { AccessDenied } from '../../page/AccessDenied.tsx'
import { PageHead } from '../../page/PageHead.tsx'
import styles from '../../page/page.module.css'
import { RequestProblem } from '../../shell/RequestProblem.tsx'
import { useOrganization } from '../../shell/use-organization.ts'
import { SsoSteps } from './SsoSteps.tsx'

/** The way of an organization's people through its own identity provider. */
export function SsoPage() {
  const current = useOrganization()
  if (current === undefined) return null
  if (!current.can('manage_sso')) {
    return (
      <AccessDenied>
        Single sign-on is set up by the Owners and Admins of the organization.
      </AccessDenied>
    )
  }
  return (
    <div className={styles.page}>
      <PageHead
        title="Single sign-on"
        lead="People sign in through your identity provider, by OpenID Connect or SAML 2.0. Who comes that way for the first time becomes a member by it."
      />
      <Loaded orgId={current.organization.id} />
    </div>
  )
}

function Loaded({ orgId }: { readonly orgId: string }) {
  const config = useQuery(ssoConfigQuery(orgId))
  const service = useQuery(ssoServiceQuery(orgId))
  const writing = useWriteSso(orgId)
  if (config.isPending || service.isPending) return <TableSkeleton rows={6} />
  if (config.isError || service.isError) {
    const error = config.error ?? service.error
    const retry = () => {
      void config.refetch()
      void service.refetch()
    }
    return error !== null && <RequestProblem error={error} onRetry={retry} />
  }
  return (
    <SsoSteps
      // What was saved, here or by somebody else, replaces what was being typed.
      key={config.data?.updated_at ?? 'none'}
      orgId={orgId}
      config={config.data}
      service={service.data}
      writing={writing}
    />
  )
}
