import { call } from '@assay/contract/client.ts'
import { signOut } from '@assay/contract/sign-in.ts'
import { Menu } from '@mantine/core'
import { IconChevronUp, IconLogout } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode } from 'react'
import { base } from '../api/base.ts'
import { endSession } from '../api/end-session.ts'
import { sessionQuery } from '../api/session.ts'
import styles from './side.module.css'

interface Props {
  /** Entries of the menu before sign-out. */
  readonly children: ReactNode
  /** Removes from the browser what the app has stored for the person. */
  readonly forgetPerson: () => void
}

/** The signed-in person, and sign-out. */
export function UserMenu({ children, forgetPerson }: Props) {
  const { data: session } = useQuery(sessionQuery)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const signingOut = useMutation({
    mutationFn: () => call(base, signOut, {}),
    onSuccess: () =>
      endSession(queryClient, { forgetPerson, openSignIn: () => navigate({ to: '/sign-in' }) }),
  })
  if (session === undefined) return null

  return (
    <Menu position="top-start" width={190}>
      <Menu.Target>
        <button type="button" className={`${styles.switch} ${styles.subtle}`}>
          <span className={styles.twoLines}>
            <span>{session.user.name}</span>
            <span className={styles.small}>{session.user.email}</span>
          </span>
          <IconChevronUp size={15} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {children}
        {signingOut.isError && <Menu.Label>Signing out failed. Try again.</Menu.Label>}
        <Menu.Item
          closeMenuOnClick={false}
          leftSection={<IconLogout size={15} />}
          onClick={() => signingOut.mutate()}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
