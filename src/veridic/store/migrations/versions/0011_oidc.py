"""OpenID Connect: which accounts belong to whom at an issuer, and the sign-ins under way.

Written out rather than taken from the declarations: what this revision created must never change.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "oidc_identities",
        sa.Column(
            "user_id",
            sa.Integer(),
            sa.ForeignKey("users.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text()),
        sa.Column("email", sa.Text()),
        sa.UniqueConstraint("issuer", "subject", name="uq_oidc_identities_issuer"),
        sa.UniqueConstraint("issuer", "email", name="uq_oidc_identities_issuer_email"),
    )
    op.create_table(
        "oidc_sign_ins",
        sa.Column("secret_hash", sa.Text(), primary_key=True),
        sa.Column("next_path", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.DateTime(), nullable=False),
    )
