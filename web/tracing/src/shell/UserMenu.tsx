import { call } from '@assay/contract/client.ts'
import { signOut } from '@assay/contract/sign-in.ts'
import { Menu } from '@mantine/core'
import { IconChevronUp, IconLogout, IconUser } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { base } from '../api/base.ts'
import { endSession } from '../api/end-session.ts'
import { sessionQuery } from '../api/session.ts'
import { LinkMenuItem } from '../parts/LinkMenuItem.tsx'
import styles from './Shell.module.css'

interface Props {
  readonly onLeave: (() => void) | undefined
}

/** The signed-in person, their profile, and sign-out. */
export function UserMenu({ onLeave }: Props) {
  const { data: session } = useQuery(sessionQuery)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const signingOut = useMutation({
    mutationFn: () => call(base, signOut, {}),
    onSuccess: () => endSession(queryClient, () => navigate({ to: '/sign-in' })),
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
        <LinkMenuItem to="/profile" leftSection={<IconUser size={15} />} onClick={onLeave}>
          Profile
        </LinkMenuItem>
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
