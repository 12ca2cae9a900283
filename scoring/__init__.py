"""The rules engine: checks hands, pays points, folds games. Standard library only."""
