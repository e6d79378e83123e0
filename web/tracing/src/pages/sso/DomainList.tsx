import { ApiError } from '@assay/contract/client.ts'
import type { SsoDomain } from '@assay/contract/sso.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { Snippet } from '@assay/ui/Snippet.tsx'
import { StatusMark } from '@assay/ui/StatusMark.tsx'
import { Button } from '@mantine/core'
import { useVerifyDomain } from '../../api/sso.ts'
import page from '../../page/page.module.css'
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
        <Domain key={domain.domain} orgId={orgId} {...domain} />
      ))}
    </ul>
  )
}

interface DomainProps extends SsoDomain {
  readonly orgId: string
}

function Domain({ orgId, domain, verified_at, verified_by, txt_record }: DomainProps) {
  const isSuperAdmin = useSuperAdmin()
  const verifying = useVerifyDomain(orgId)
  const isVerified = verified_at !== null
  const action = isSuperAdmin ? 'Approve' : 'Verify'
  return (
    <li className={styles.domain}>
      <div className={page.line}>
        <strong>{domain}</strong>
        {isVerified ? (
          <StatusMark
            isError={false}
            word={verified_by === 'approval' ? 'Approved by a super admin' : 'Verified by DNS'}
          />
        ) : (
          <Button
            variant="default"
            loading={verifying.isPending}
            aria-label={`${action} ${domain}`}
            onClick={() => verifying.mutate(domain)}
          >
            {action}
          </Button>
        )}
      </div>
      {!isVerified && (
        <>
          <p className={page.note}>
            Not verified.{' '}
            {isSuperAdmin
              ? 'As a super admin, you can approve it without DNS. Make sure that it belongs to this organization. Its DNS record would be:'
              : `Add a TXT record with this value to the DNS of ${domain}, then verify. DNS changes can take an hour.`}
          </p>
          <Snippet text={txt_record} copyLabel={`Copy the TXT record of ${domain}`} isWrapped />
          <FormError message={messageOf(verifying.error)} />
        </>
      )}
    </li>
  )
}

function messageOf(error: Error | null): string | undefined {
  const hint = error instanceof ApiError ? error.details.hint : undefined
  return typeof hint === 'string' ? `${error?.message} ${hint}` : error?.message
}
