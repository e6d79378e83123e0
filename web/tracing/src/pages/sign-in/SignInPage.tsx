import { call } from '@assay/contract/client.ts'
import { signIn } from '@assay/contract/sign-in.ts'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Navigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { base } from '../../api/base.ts'
import { sessionQuery, setupQuery } from '../../api/session.ts'
import { FormError } from '../../form/FormError.tsx'
import { FormPage } from '../../form/FormPage.tsx'
import form from '../../form/form.module.css'
import { useTitle } from '../../shell/use-title.ts'
import { nextPathIn } from './next-path.ts'

const route = getRouteApi('/sign-in')

/** Signs in and goes on to the page that was asked for. */
export function SignInPage() {
  useTitle('Sign in')
  const next = route.useSearch({ select: (search) => nextPathIn(search.next) }) ?? '/'
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const router = useRouter()
  const queryClient = useQueryClient()
  const setup = useQuery(setupQuery)
  const signingIn = useMutation({
    meta: { isSignIn: true },
    mutationFn: () => call(base, signIn, { body: { email, password } }),
    onSuccess: async () => {
      queryClient.clear()
      await queryClient.query(sessionQuery)
      router.history.replace(next)
    },
  })

  if (setup.data?.needed === true) return <Navigate to="/setup" replace />

  return (
    <FormPage title="Sign in">
      <form
        className={form.fields}
        onSubmit={(event) => {
          event.preventDefault()
          signingIn.mutate()
        }}
      >
        <TextInput
          label="E-mail address"
          type="email"
          name="email"
          autoComplete="username"
          autoFocus
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <FormError message={signingIn.error?.message} />
        <Button type="submit" size="sm" loading={signingIn.isPending}>
          Sign in
        </Button>
      </form>
    </FormPage>
  )
}
