import { type Role, roles } from '@assay/contract/access.ts'
import type { Member } from '@assay/contract/members.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { TimeText } from '@assay/ui/TimeText.tsx'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { useNow } from '@assay/ui/use-now.ts'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/session.ts'
import styles from '../../page/page.module.css'
import { TwoLines } from '../../page/TwoLines.tsx'
import type { CurrentOrganization } from '../../shell/use-organization.ts'
import { type MemberContext, memberDisabledReason, roleDisabledReason } from './member-rules.ts'
import { RemoveMemberDialog } from './RemoveMemberDialog.tsx'
import { RoleDialog, type RoleSelection } from './RoleDialog.tsx'

interface Props {
  readonly current: CurrentOrganization
  readonly members: readonly Member[]
}

/** The members, by name, with what may be changed about each. */
export function MemberTable({ current, members }: Props) {
  const nowMs = useNow(60_000)
  const { data: session } = useQuery(sessionQuery)
  const ownUserId = session?.user.id
  const canManage = current.can('manage_members')
  const memberContext = { ownUserId, ownRole: current.organization.role, members }
  const changing = useDialog<RoleSelection>()
  const removing = useDialog<Member>()
  return (
    <>
      <p className={styles.count}>{countOf(members.length, 'member')}</p>
      <div className={styles.scroller}>
        <table className={`${styles.table} ${styles.stacked}`}>
          <caption className="visually-hidden">Members of {current.organization.name}</caption>
          <thead>
            <tr>
              <th scope="col">Person</th>
              <th scope="col">Role</th>
              <th scope="col" className={styles.wide}>
                Joined
              </th>
              {canManage && (
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {members.map((member) => {
              const disabledReason = memberDisabledReason(member, memberContext)
              const isSelf = member.user_id === ownUserId
              return (
                <tr key={member.user_id}>
                  <td className={styles.tall}>
                    <TwoLines below={member.email}>
                      {member.name}
                      {isSelf && <span className="dimmed"> (you)</span>}
                    </TwoLines>
                  </td>
                  <td>
                    {!canManage || disabledReason !== undefined ? (
                      <TwoLines below={canManage && disabledReason}>{member.role}</TwoLines>
                    ) : (
                      <RoleChoice
                        member={member}
                        memberContext={memberContext}
                        onChoose={(role) => changing.open({ member, role, isSelf })}
                      />
                    )}
                  </td>
                  <td className={styles.wide}>
                    <TimeText at={member.joined_at} nowMs={nowMs} />
                  </td>
                  {canManage && (
                    <td className={styles.action}>
                      <Button
                        variant="subtle"
                        color="red"
                        size="compact-xs"
                        disabled={disabledReason !== undefined}
                        title={disabledReason}
                        aria-label={isSelf ? 'Leave' : `Remove ${member.name}`}
                        onClick={() => removing.open(member)}
                      >
                        {isSelf ? 'Leave' : 'Remove'}
                      </Button>
                    </td>
                  )}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <RoleDialog organization={current.organization} dialog={changing} />
      <RemoveMemberDialog current={current} ownUserId={ownUserId} dialog={removing} />
    </>
  )
}

interface ChoiceProps {
  readonly member: Member
  readonly memberContext: MemberContext
  readonly onChoose: (role: Role) => void
}

function RoleChoice({ member, memberContext, onChoose }: ChoiceProps) {
  return (
    <NativeSelect
      size="xs"
      w={128}
      aria-label={`Role of ${member.name}`}
      value={member.role}
      onChange={(event) => {
        const role = roles.find((one) => one === event.currentTarget.value)
        if (role !== undefined && role !== member.role) onChoose(role)
      }}
      data={roles.map((role) => {
        const disabledReason = roleDisabledReason(role, member, memberContext)
        return disabledReason === undefined
          ? role
          : { value: role, label: `${role} (${disabledReason})`, disabled: true }
      })}
    />
  )
}
