import { base } from '@assay/account/api/base.ts'
import { Form } from '@assay/account/form/Form.tsx'
import styles from '@assay/account/form/form.module.css'
import { useMutationForm } from '@assay/account/form/use-mutation-form.ts'
import { useCompleteSignIn } from '@assay/account/sign-in/use-complete-sign-in.ts'
import { ApiError, call } from '@assay/contract/client.ts'
import type { Args } from '@assay/contract/endpoint.ts'
import { linkSso } from '@assay/contract/sso.ts'
import { PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

interface Props {
  /** The page to open after sign-in. */
  readonly search: { readonly next?: string }
}

/** Links an account, with its password, to the identity provider that the person has just signed in at. */
export function LinkForm({ search }: Props) {
  const completeSignIn = useCompleteSignIn()
  const linking = useMutation({
    meta: { isSignIn: true },
    mutationFn: (body: Args<typeof linkSso>['body']) => call(base, linkSso, { body }),
    onSuccess: ({ return_to }) => completeSignIn(return_to),
  })
  const form = useMutationForm({
    endpoint: linkSso,
    initialValues: { password: '' },
    mutation: linking,
  })
  const isExpired = linking.error instanceof ApiError && linking.error.status === 404
  return (
    <>
      <Form form={form} submitLabel="Connect and sign in" isDisabled={isExpired}>
        <PasswordInput
          label="Account password"
          autoComplete="current-password"
          autoFocus
          required
          {...form.field('password')}
        />
      </Form>
      <div className={styles.apart}>
        <Link to="/sign-in" search={search}>
          Start over
        </Link>
        <Link to="/forgot-password" search={search}>
          Forgot your password?
        </Link>
      </div>
    </>
  )
}
