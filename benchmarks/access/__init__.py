"""What access costs: searches of those who may read all, most or few documents; rights that change."""
