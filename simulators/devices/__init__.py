"""Device ends that speak bytes: a folder for each device, and what they share. They know nothing of `tablectl`."""
