"""Planes as textbooks have them: perceptron, logistic regression, Fisher's discriminant."""
