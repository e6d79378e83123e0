import { ApiError } from '@assay/contract/client.ts'
import type { SsoConfig } from '@assay/contract/sso.ts'
import { FormError } from '@assay/ui/FormError.tsx'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useTestSso } from '../../api/sso.ts'
import { usePageSearch } from '../../page/use-page-search.ts'
import { toTestProblemMessage } from '../sign-in/problem-messages.ts'
import styles from './sso.module.css'

const route = getRouteApi('/signed-in/o/$orgId/settings/single-sign-on')

interface Props {
  readonly orgId: string
  readonly config: SsoConfig
  readonly isDirty: boolean
}

/** Starts a test sign-in, which creates no session, and shows the result of the last one. */
export function TestSignIn({ orgId, config, isDirty }: Props) {
  const { sso_test: outcome } = usePageSearch(route)
  // The URL may be outdated: a success only counts for the tested configuration.
  const isStillTrue = outcome !== 'ok' || config.tested_at !== null
  const testing = useTestSso(orgId)
  const hasVerified = config.domains.some(({ verified_at }) => verified_at !== null)
  const disabledReason = isDirty
    ? 'Save your changes first.'
    : hasVerified
      ? undefined
      : 'Verify a domain first: addresses of unverified domains are refused.'
  return (
    <>
      <p className={styles.text}>
        Your browser goes to the provider and returns here. Your session does not change.
        {config.tested_at !== null && (
          <>
            {' '}
            Last successful test: <TimeText at={config.tested_at} />.
          </>
        )}
      </p>
      {outcome !== undefined && isStillTrue && <Outcome outcome={outcome} />}
      <FormError message={problemOf(testing.error)} />
      <Button
        variant={config.tested_at === null ? 'filled' : 'default'}
        disabled={disabledReason !== undefined}
        loading={testing.isPending || testing.isSuccess}
        onClick={() => testing.mutate(location.pathname)}
      >
        Test sign-in
      </Button>
      {disabledReason !== undefined && <p className={styles.text}>{disabledReason}</p>}
    </>
  )
}

function Outcome({
  outcome,
}: {
  readonly outcome: 'ok' | Parameters<typeof toTestProblemMessage>[0]
}) {
  if (outcome === 'ok') {
    return (
      <Alert
        className={styles.result}
        color="green"
        p="xs"
        role="status"
        icon={<IconCircleCheck size={16} />}
      >
        The test sign-in succeeded with an address of a verified domain.
      </Alert>
    )
  }
  const { what, next } = toTestProblemMessage(outcome)
  return (
    <Alert
      className={styles.result}
      color="red"
      p="xs"
      role="alert"
      title={`The test sign-in failed: ${what}`}
      icon={<IconAlertTriangle size={16} />}
    >
      {next}
    </Alert>
  )
}

function problemOf(error: Error | null): string | undefined {
  if (!(error instanceof ApiError)) return error?.message
  const { target } = error.details
  return typeof target === 'string' ? `${error.message} (${target})` : error.message
}
