import { ApiError } from '@assay/contract/client.ts'
import type { SsoDomain } from '@assay/contract/sso.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Snippet } from '@assay/ui/Snippet.tsx'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { Button } from '@mantine/core'
import { useVerifyDomain } from '../../api/sso.ts'
import { useSuperAdmin } from '../../shell/use-super-admin.ts'
import styles from './sso.module.css'

interface Props {
  readonly orgId: string
  readonly domains: readonly SsoDomain[]
}

/** The domains, each with the DNS record that verifies it. */
export function DomainList({ orgId, domains }: Props) {
  return (
    <ul className={styles.domains}>
      {domains.map((domain) => (
        <Domain key={domain.domain} orgId={orgId} domain={domain} />
      ))}
    </ul>
  )
}

interface DomainProps {
  readonly orgId: string
  readonly domain: SsoDomain
}

function Domain({ orgId, domain: { domain, verified_at, verified_by, txt_record } }: DomainProps) {
  const isSuperAdmin = useSuperAdmin()
  const verifying = useVerifyDomain(orgId)
  if (verified_at !== null) {
    return (
      <li className={styles.domain}>
        <div className={styles.domainHead}>
          <strong>{domain}</strong>
          <StatusMark
            isError={false}
            word={verified_by === 'approval' ? 'Approved by a super admin' : 'Verified by DNS'}
          />
        </div>
      </li>
    )
  }
  return (
    <li className={styles.domain}>
      <div className={styles.domainHead}>
        <strong>{domain}</strong>
        <Button
          variant="default"
          loading={verifying.isPending}
          aria-label={`${isSuperAdmin ? 'Approve' : 'Verify'} ${domain}`}
          onClick={() => verifying.mutate(domain)}
        >
          {isSuperAdmin ? 'Approve' : 'Verify'}
        </Button>
      </div>
      <p className={styles.text}>
        Not verified.{' '}
        {isSuperAdmin
          ? 'As a super admin, you can approve it without DNS. Make sure that it belongs to this organization. Its DNS record would be:'
          : `Add a TXT record with this value to the DNS of ${domain}, then verify. DNS changes can take an hour.`}
      </p>
      <Snippet text={txt_record} copyLabel={`Copy the TXT record of ${domain}`} isWrapped />
      <FormError message={problemOf(verifying.error)} />
    </li>
  )
}

function problemOf(error: Error | null): string | undefined {
  if (!(error instanceof ApiError)) return error?.message
  const { hint } = error.details
  return typeof hint === 'string' ? `${error.message} ${hint}` : error.message
}
