"""The Helm chart: its templates are made from what kustomize renders, and held against it."""
