"""A finished run as views: leaderboard, comparisons, prices, and what is kept of them on disk."""
