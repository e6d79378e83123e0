import { call } from '@assay/contract/client.ts'
import { redeemSessionTransfer } from '@assay/contract/session-transfer.ts'
import { Problem } from '@assay/ui/Problem.tsx'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { base } from '../../api/base.ts'
import { readHashParam } from '../../parts/hash-param.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { PageLoading } from '../../shell/PageLoading.tsx'

/** Signs in a person who comes from Assay Chat with a code. */
export function RedeemTransferPage() {
  const code = readHashParam(useLocation().hash, 'code') ?? ''
  const { mutate, error } = useMutation({
    mutationFn: () => call(base, redeemSessionTransfer, { body: { code } }),
    onSuccess: () => location.replace('/'),
  })
  // A code works once: a second request would fail.
  const isStarted = useRef(false)
  useEffect(() => {
    if (isStarted.current) return
    isStarted.current = true
    mutate()
  }, [mutate])
  if (error === null) return <PageLoading />
  return (
    <Problem
      title="Could not sign you in from Assay Chat"
      actions={
        <LinkButton to="/sign-in" variant="subtle">
          Sign in here
        </LinkButton>
      }
    >
      {error.message} Codes are single-use and expire after 1 minute.
    </Problem>
  )
}
