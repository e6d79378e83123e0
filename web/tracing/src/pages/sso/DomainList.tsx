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
          (['dns', ...(isSuperAdmin ? ['approval' as const] : [])] as const).map((method) => (
            <Button
              key={method}
              variant="default"
              loading={verifying.isPending && verifying.variables.method === method}
              disabled={verifying.isPending}
              aria-label={`${actions[method]} ${domain}`}
              onClick={() => verifying.mutate({ domain, method })}
            >
              {actions[method]}
            </Button>
          ))
        )}
      </div>
      {!isVerified && (
        <>
          <p className={page.note}>
            Not verified. Add a TXT record with this value to the DNS of {domain}, then verify. DNS
            changes can take an hour.
            {isSuperAdmin &&
              ' As a super admin, you can approve it without DNS, if you are sure that it belongs to this organization.'}
          </p>
          <Snippet text={txt_record} copyLabel={`Copy the TXT record of ${domain}`} isWrapped />
          <FormError message={formatError(verifying.error)} />
        </>
      )}
    </li>
  )
}

const actions = { dns: 'Verify', approval: 'Approve' } as const

function formatError(error: Error | null): string | undefined {
  const hint = error instanceof ApiError ? error.details.hint : undefined
  return typeof hint === 'string' ? `${error?.message} ${hint}` : error?.message
}
