import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import type { SsoConfig } from '@assay/contract/sso.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useTestSso } from '../../api/sso.ts'
import page from '../../page/page.module.css'
import { toTestProblemMessage } from '../../sign-in/problem-messages.ts'

const route = getRouteApi('/signed-in/o/$orgId/settings/single-sign-on')

interface Props {
  readonly orgId: string
  readonly config: SsoConfig
  readonly isDirty: boolean
}

/** Starts a test sign-in, which creates no session, and shows the result of the last one. */
export function TestSignIn({ orgId, config: { domains, tested_at }, isDirty }: Props) {
  const { sso_test: outcome } = usePageSearch(route)
  const testing = useTestSso(orgId)
  const hasVerified = domains.some(({ verified_at }) => verified_at !== null)
  const disabledReason = isDirty
    ? 'Save your changes first.'
    : hasVerified
      ? undefined
      : 'Verify a domain first: addresses of unverified domains are refused.'
  return (
    <>
      <p className={page.note}>
        Your browser goes to the provider and returns here. Your session does not change.
        {tested_at !== null && (
          <>
            {' '}
            Last successful test: <TimeText at={tested_at} />.
          </>
        )}
      </p>
      {/* The URL may be outdated: a success only counts for the tested configuration. */}
      {outcome === 'ok' && tested_at !== null && (
        <Alert w="100%" color="green" p="xs" role="status" icon={<IconCircleCheck size={16} />}>
          The test sign-in succeeded with an address of a verified domain.
        </Alert>
      )}
      {outcome !== undefined && outcome !== 'ok' && (
        <Alert
          w="100%"
          color="red"
          p="xs"
          role="alert"
          title={`The test sign-in failed: ${toTestProblemMessage(outcome).what}`}
          icon={<IconAlertTriangle size={16} />}
        >
          {toTestProblemMessage(outcome).next}
        </Alert>
      )}
      <FormError message={testing.error?.message} />
      <Button
        variant={tested_at === null ? 'filled' : 'default'}
        disabled={disabledReason !== undefined}
        loading={testing.isPending || testing.isSuccess}
        onClick={() => testing.mutate(location.pathname)}
      >
        Test sign-in
      </Button>
      {disabledReason !== undefined && <p className={page.note}>{disabledReason}</p>}
    </>
  )
}
